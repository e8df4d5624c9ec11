"""Word lists of the grammar."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ONES = _words(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
    """
)
"""The numbers below twenty."""
TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
"""The tens from twenty on."""
STOPS = _set(
    """
    is are was were be and or but per in of at for with if when long unless each to from by on as that
    which who must can may should shall will than the a an not only while until after before above below
    between including excluding since because so then more less fewer greater higher longer shorter
    inclusive total max maximum min minimum now ago old apart away off via into onto within without
    during every his her its their depending exclusive wide high allowed permitted accepted possible
    required rejected does do has have it they you we whichever where any all whose there earlier later
    using being
    """
)
"""Words that a unit cannot be, and after which it ends."""
NO_NAMES = _set(
    """
    fourth fifth sixth seventh eighth ninth tenth latter former right left current whole same above below final
    remaining necessary standard simple normal common exact real actual original separate individual
    for of to in on by with from as or and such its it is are be that which
    following same first second third last next previous new old other another required optional
    mandatory custom extra additional single given query path body form header input output hidden text
    numeric integer string boolean date empty missing unknown invalid valid whole entire particular
    certain corresponding respective only main default special read-only readonly nested related foreign
    each every one two three important public private data model request response template function
    method class instance keyword positional named database this that
    inner outer entry search edit select choice dropdown drop-down checkbox parent child sub
    dataclass schema document table record object struct message marshmallow pydantic attrs
    """
)
"""What stands before the word "field" and is no name of one."""
NO_FIELDS = _set(
    "true false none null str int bool float list dict tuple set bytes any optional union literal self cls"
)
"""Names of values and types, which no field has."""
ROLES = _set(
    """
    admin administrator staff user owner member manager editor author customer moderator librarian
    operator employee teacher student guest visitor subscriber reviewer maintainer developer person
    people agent seller buyer superuser supervisor organizer organiser creator contributor accountant
    clerk cashier nurse doctor patient lecturer admins caller anyone holder tenant reader client viewer
    """
)
"""Words for persons."""
NOT_NOUNS = _set(
    """
    most many some several few
    or and such until after before iff
    is are was were be must can may should shall will has have had does do did if when unless not than
    otherwise never there it they this that these those he she we you i which who whom what how why where also then no
    none nothing nobody anything everything something else
    more less because so as while since returns return raises raise contains contain
    allows allow accepts accept supports support requires require need needs provides provide gets get gives give
    takes take makes make uses use defaults default expires ensure ensures check checks verify see note
    default's cannot please only just even here them me us specifies specify indicates indicate sets set
    limits limit's default: optional both either neither each following
    """
)
"""Words that a short noun phrase never holds."""
OTHERS = _set(
    """
    python django flask windows linux unix macos android ios chrome firefox safari browsers browser redis postgres
    sqlite oracle java javascript excel google amazon apple microsoft twitter facebook slack docker kubernetes git
    nginx apache pip aws azure internet gmail numpy pandas jupyter bash ruby openai anthropic stripe paypal twilio
    github gitlab bitbucket jira confluence discord telegram whatsapp instagram linkedin youtube spotify reddit
    salesforce shopify elasticsearch opensearch kafka rabbitmq memcached zookeeper prometheus grafana influxdb
    openstack ansible terraform jenkins rust cython pypy node node.js nodejs npm yarn pnpm deno bun php perl kotlin
    typescript postgresql mysql mongodb
    """
)
"""Names of other systems: what prose says of them is not said of this one."""
SERVICES = _words(
    """
    Jira Confluence Bitbucket GitHub GitLab Gitea Gerrit Trello Asana Notion Slack Discord Telegram Twitter Mastodon
    Facebook Instagram LinkedIn YouTube YouTrack Spotify Twitch Reddit Salesforce HubSpot Zendesk Stripe PayPal
    Shopify Twilio SendGrid Mailgun Dropbox Google Microsoft Azure Amazon AWS OpenAI Anthropic Gemini Ollama
    Elasticsearch OpenSearch Prometheus Grafana InfluxDB Consul Vault Kubernetes Docker Cloudflare Heroku Sentry
    PagerDuty Datadog Keycloak Okta Auth0 Artifactory Nexus Jenkins SonarQube PyPI
    """
)
"""Names of services that answer requests of their own, as they are written."""
LIBRARIES = _set(
    """
    aiohttp alembic anyio asyncio asyncpg attrs autoconf automake avahi babel bcrypt beautifulsoup bison boto boto3
    botocore brotli bs4 cairo cargo certifi cffi chardet clang cmake colorama cryptography curl curses cython dask
    dbus dbus-python deno dnspython eventlet expat fastapi ffmpeg flake8 gcc gdal gevent ghostscript gmp gnupg
    gnuplot gobject gpg graphviz greenlet grpc grpcio gstreamer gtk gunicorn gzip h5py hdf5 html5lib httplib2 httpx
    imagemagick importlib-metadata inotify ipython isodate jinja jinja2 jq jsonschema keras ldap3 libcurl libffi
    libmagic libssl libusb libxml2 libxslt libyaml lldb llvm loguru lxml lz4 mako matplotlib meson mkdocs mpi4py
    msgpack msgspec mypy mysqlclient networkx ninja nltk nose numba numexpr opencv openpyxl openssl orjson pandoc
    paramiko pexpect pil pillow pkg-config plotly poppler portaudio protobuf psutil psycopg psycopg2 pyarrow pycairo
    pycurl pydantic pygments pygobject pyinotify pylint pymongo pymysql pyopenssl pyparsing pyqt pyqt5 pyserial
    pyside pysocks pytest python-dateutil python-ldap pytz pyusb pywin32 pyyaml pyzmq qt readline reportlab requests
    rich ruff rustc scapy scikit-learn scipy seaborn selenium setproctitle setuptools simplejson six sklearn snappy
    sox sphinx sqlalchemy sqlite sqlite3 statsmodels swig sympy systemd tcpdump tensorflow termcolor tesseract
    tkinter toml tomli torch tornado tox tqdm traitlets twisted ujson uvicorn uvloop virtualenv watchdog webob
    werkzeug xlrd xvfb yaml zlib zmq zsh zstandard zstd
    """
)
"""Packages and tools that a system is built of: what is required or optional about them is that they are installed."""
NO_VALUES = _set(
    """
    the a an these those them our their your its his her this that us you all both following it
    """
)
"""Words that are no values of an enumeration."""
NO_BARE_VALUES = _set(
    """
    empty str string strings int integer integers float floats bool boolean booleans bytes unicode list lists
    tuple tuples dict dicts dictionary callable callables function functions class classes object objects
    instance instances number numbers sync async
    """
)
"""Words that are values only where they are marked as such: else they are types, or say how something is."""
FRAGMENTS = _set(
    """
    none omitted missing empty given present absent possible unset unspecified invalid required available specified
    provided set enabled disabled
    """
)
"""Words that say a whole case behind "if"."""
GIVEN = _set(
    """
    abbreviation account address age alias amount answer argument attachment author authors balance barcode
    birthday body brand budget capacity caption categories category certificate channel choice city code color
    colour column columns comment comments company condition content contents coordinate coordinates cost
    count country county credentials currency cvv data date dates day deadline department deposit description
    destination detail details dimension dimensions direction discount distance district domain duration
    e-mail email end entry event expiration expiry extension fax field fields filename files filter firstname
    flag folder format frequency gender genre goal group hash header headers height hint host hostname hour id
    identifier identifiers ids image images index input instructions interest interval ip isbn issuer item
    items key keys keyword keywords kind kinds label language lastname latitude length level limit line link
    list locale location longitude manufacturer mass message mode model month motive name names namespace
    nationality nickname note notes number numbers object occupation offset option options order organisation
    organization origin owner page parameter parameters passcode passphrase password path paths pattern
    payload percentage period phone photo picture pin place plan platform port position postcode postcodes
    prefix price priority product profession profile project property purpose quantity query question quota
    rank rate rating ratio reason reasons recipient recipients reference region remark repository resolution
    role room salary salutation schedule scope score seat seats secret section sender series severity sex
    signature size sku slug source speed start state status stock street string subject subtitle suffix sum
    summary surname symbol table tag tags target tax telephone temperature template text thumbnail time
    timeout timestamp timezone title token tokens topic total town translation tries type types unit units uri
    url urls user username value values variant vat vendor version vin volume warehouse webhook website weight
    width word words year zip zipcode zone
    """
)
"""What is given to something as a text, a number or a choice: heads of phrases that say what is required."""
NO_DEEDS = _set(
    """
    description position location duration section option nation station quotation quantity city identity entity
    currency priority quality severity capacity university validity density velocity rating heading string building
    meaning pricing reference sequence precision permission commission division
    """
)
"""Words that end as what is done does, and are things that one gives."""
DEEDS = _set(
    """
    add approve archive assign book borrow browse buy cancel change close create delete download edit export fetch
    import invite list lock modify open order pay place post publish purchase rate register reject remove rename rent
    request reserve restore retrieve return review search send submit suspend transfer unlock update upload view write
    """
)
"""What people do to things through an interface."""

FOR_EXAMPLE = (
    r"\b(?:e\.g|such as|for (?:example|instance)|(?:in (?:the|this|our)|this|our|following|above) example"
    r"|example (?:above|below))\b|^(?:option|alternative|approach|variant|example) (?:[A-Za-z]|\d+)\s*[:.)]"
)
"""A pattern for what says that something is an example, or one of several ways to go ("Option B: …")."""
