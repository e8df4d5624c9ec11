"""Django's REST framework: views and viewsets, routers, permissions, filters, pages and answers."""
