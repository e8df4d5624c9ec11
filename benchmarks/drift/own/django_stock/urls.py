from django.urls import path

from stock.views import ItemView, ItemsView, MovementsView, ReportView

urlpatterns = [
    path("items", ItemsView.as_view()),
    path("items/<uuid:key>", ItemView.as_view()),
    path("items/<uuid:key>/movements", MovementsView.as_view()),
    path("report/<int:year>", ReportView.as_view()),
]
