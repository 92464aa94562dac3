# The service in a container: no root, and nothing it could write to but /data and /tmp.
#
#     docker build -t predinet-prolog .
#     docker run --rm --read-only --tmpfs /tmp -v scenes:/data -p 127.0.0.1:8000:8000 predinet-prolog
#
# It has no PyTorch: what looks at images is an exported graph. compose.yaml runs it with everything taken away that it can
# do without.

FROM python:3.11-slim-bookworm AS builder
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/predinet-prolog
ENV PATH=/opt/predinet-prolog/bin:$PATH
WORKDIR /src
COPY constraints.txt pyproject.toml ./
# A layer of its own: what others wrote is installed anew when it changes, not when the rooms do.
RUN python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
    extras = [p['dependencies'], *(p['optional-dependencies'][name] for name in ('service', 'drawing', 'tables'))]; \
    print(*(word for words in extras for word in words if p['name'] not in word), sep='\n')" > wanted.txt \
    && pip install --constraint constraints.txt --requirement wanted.txt
COPY README.md LICENSE ./
COPY predinet_prolog predinet_prolog
COPY quoting quoting
COPY domains domains
COPY neural neural
COPY bridge bridge
COPY symbolic symbolic
COPY experiments experiments
COPY service service
RUN pip wheel --no-deps --wheel-dir /wheels . && pip install --constraint constraints.txt --no-deps /wheels/*.whl

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="predinet-prolog" \
      org.opencontainers.image.description="Ask an image questions in logic: a PrediNet sees, Prolog answers." \
      org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get update \
    && apt-get install --yes --no-install-recommends 'swi-prolog-nox=9.0.4*' \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin predinet \
    && install --directory --owner=predinet --group=predinet --mode=0700 /data
COPY --from=builder /opt/predinet-prolog /opt/predinet-prolog
ENV PATH=/opt/predinet-prolog/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    XDG_CACHE_HOME=/opt/predinet-prolog/cache \
    MPLCONFIGDIR=/tmp/matplotlib \
    PREDINET_PROLOG_HOST=0.0.0.0 \
    PREDINET_PROLOG_PORT=8000 \
    PREDINET_PROLOG_DATA=/data
# A worker loads the saved state of host.pl in a fourth of the time; whom the container runs as cannot make it.
RUN ["/opt/predinet-prolog/bin/python", "-c", \
    "from predinet_prolog.symbolic.swipl import compiled_host, find_swi_prolog as find; assert compiled_host(find()).suffix == '.state'"]
VOLUME /data
EXPOSE 8000
WORKDIR /
USER 10001:10001
STOPSIGNAL SIGTERM
# Healthy when a Prolog worker answers.
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=3 CMD ["python", "-c", \
    "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PREDINET_PROLOG_PORT\"]}/health', timeout=8)"]
ENTRYPOINT ["predinet-prolog"]
CMD ["serve"]
