"""The statuses of HTTP and what they are called, also in later standards; `http.HTTPStatus` takes long to make."""

from __future__ import annotations

STATUSES = frozenset(
    {*range(100, 104), *range(200, 209), 226, *range(300, 306), 307, 308, *range(400, 419), *range(421, 427)}
    | {428, 429, 431, 451, *range(500, 509), 510, 511}
)
_NAMED = (
    "Continue|Switching Protocols|Processing|Early Hints|OK|Created|Accepted|Non-Authoritative Information"
    "|No Content|Reset Content|Partial Content|Multi-Status|Already Reported|IM Used|Multiple Choices"
    "|Moved Permanently|Found|See Other|Not Modified|Use Proxy|Temporary Redirect|Permanent Redirect|Bad Request"
    "|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable"
    "|Proxy Authentication Required|Request Timeout|Conflict|Gone|Length Required|Precondition Failed"
    "|Request Entity Too Large|Content Too Large|Request-URI Too Long|URI Too Long|Unsupported Media Type"
    "|Requested Range Not Satisfiable|Range Not Satisfiable|Expectation Failed|I'm a Teapot|Misdirected Request"
    "|Unprocessable Entity|Unprocessable Content|Locked|Failed Dependency|Too Early|Upgrade Required"
    "|Precondition Required|Too Many Requests|Request Header Fields Too Large|Unavailable For Legal Reasons"
    "|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Timeout"
    "|HTTP Version Not Supported|Variant Also Negotiates|Insufficient Storage|Loop Detected|Not Extended"
    "|Network Authentication Required"
)
PHRASES = _NAMED.split("|")
