import json

from django.http import HttpResponse, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from stock.models import Item, Movement


def _shown(item):
    return {"key": str(item.key), "name": item.name, "amount": item.amount}


def _problem(text, status):
    return JsonResponse({"problem": text}, status=status)


@method_decorator(csrf_exempt, name="dispatch")
class ItemsView(View):
    def get(self, request):
        items = Item.objects.all()
        name = request.GET.get("name")
        if name:
            items = items.filter(name__icontains=name)
        return JsonResponse([_shown(item) for item in items], safe=False)

    def post(self, request):
        try:
            data = json.loads(request.body)
        except ValueError:
            return _problem("no JSON", 400)
        item = Item.objects.create(name=data["name"], amount=data.get("amount", 0))
        return JsonResponse(_shown(item), status=201)


@method_decorator(csrf_exempt, name="dispatch")
class ItemView(View):
    def get(self, request, key):
        item = Item.objects.filter(pk=key).first()
        if item is None:
            return _problem("no such item", 404)
        return JsonResponse(_shown(item))

    def delete(self, request, key):
        Item.objects.filter(pk=key).delete()
        return HttpResponse(status=204)


@method_decorator(csrf_exempt, name="dispatch")
class MovementsView(View):
    def post(self, request, key):
        data = json.loads(request.body)
        change = data["change"]
        item = Item.objects.filter(pk=key).first()
        if item is None:
            return _problem("no such item", 404)
        if item.amount + change < 0:
            return _problem("too few", 409)
        Movement.objects.create(item=item, change=change)
        return JsonResponse({"change": change, "amount": item.amount + change}, status=201)


class ReportView(View):
    def get(self, request, year):
        return JsonResponse({"year": year, "movements": Movement.objects.count(), "complete": True})
