import json

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from notes.models import Note


@csrf_exempt
@require_http_methods(["GET", "POST"])
def notes(request):
    if request.method == "POST":
        data = json.loads(request.body)
        if not data.get("title"):
            return JsonResponse({"error": "a title is needed"}, status=400)
        note = Note.objects.create(title=data["title"], text=data.get("text", ""))
        return JsonResponse(note.as_json(), status=201)
    limit = int(request.GET.get("limit", "20"))
    found = Note.objects.filter(archived=False)[:limit]
    return JsonResponse({"notes": [note.as_json() for note in found], "count": len(found)})


@csrf_exempt
@require_http_methods(["GET", "PUT", "DELETE"])
def note(request, number):
    found = get_object_or_404(Note, pk=number)
    if request.method == "DELETE":
        found.delete()
        return HttpResponse(status=204)
    if request.method == "PUT":
        data = json.loads(request.body)
        found.title = data["title"]
        found.save()
    return JsonResponse(found.as_json())


@csrf_exempt
@require_POST
def archive(request, number):
    try:
        found = Note.objects.get(pk=number)
    except Note.DoesNotExist:
        raise Http404
    if found.archived:
        return JsonResponse({"error": "archived already"}, status=409)
    return JsonResponse({"id": found.id, "archived": True}, status=202)


@require_GET
def tagged(request, tag):
    order = request.GET.get("order", "title")
    return JsonResponse([note.as_json() for note in Note.objects.filter(tag=tag).order_by(order)], safe=False)


@require_GET
def health(request):
    return JsonResponse({"status": "ok", "version": 3})
