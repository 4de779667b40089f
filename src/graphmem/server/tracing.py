"""Tracing hands spans of exchanges and their stages to OpenTelemetry, if the operator wants it.

Nothing of OpenTelemetry is imported until then. No attribute and no event holds a payload: an
exception's text may quote what a user said, so that spans record none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from graphmem._version import __version__
from graphmem.errors import ConfigError
from graphmem.ports.stage import Stage

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

    from graphmem.server.exchange import Exchange

EXTRA: Final = "otel"
_PARENT: Final = (b"traceparent", b"tracestate")


class Tracing:
    """Spans of one server, on a provider that is the caller's."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace import SpanKind, StatusCode  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
            TraceContextTextMapPropagator,
        )

        self._provider = provider
        self._tracer = provider.get_tracer("graphmem", __version__)
        self._parents = TraceContextTextMapPropagator()
        self._kind = SpanKind.SERVER
        self._failed = StatusCode.ERROR

    @classmethod
    def open(cls) -> Tracing:
        """Send spans over OTLP, as the environment variables of OpenTelemetry say.

        Raises:
            ConfigError: the extra `otel` is not installed.
        """
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
                OTLPSpanExporter,
            )
            from opentelemetry.sdk.resources import SERVICE_NAME, Resource  # noqa: PLC0415
            from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
            from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        except ImportError as error:
            reason = f"it needs OpenTelemetry; install it with: pip install 'graphmem[{EXTRA}]'"
            raise ConfigError("tracing", reason) from error
        provider = TracerProvider(
            resource=Resource.create({SERVICE_NAME: "graphmem"}), shutdown_on_exit=False
        )
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return cls(provider)

    @contextmanager
    def exchange(self, exchange: Exchange, headers: list[tuple[bytes, bytes]]) -> Iterator[None]:
        """A span around an exchange, below the one that the caller names (W3C Trace Context)."""
        with self._tracer.start_as_current_span(
            exchange.method,
            context=self._parents.extract(_parent_in(headers)),
            kind=self._kind,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield
            span.update_name(f"{exchange.method} {exchange.route}")
            span.set_attribute("http.request.method", exchange.method)
            span.set_attribute("http.route", exchange.route)
            span.set_attribute("http.response.status_code", exchange.status)
            span.set_attribute("graphmem.trace_id", exchange.trace_id)
            if exchange.status >= 500:
                span.set_status(self._failed)

    @contextmanager
    def stage(self, name: Stage) -> Iterator[None]:
        """A span around a stage of the exchange at hand."""
        with self._tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        ):
            yield

    def close(self) -> None:
        """Send what was not sent yet."""
        self._provider.shutdown()


def _parent_in(headers: list[tuple[bytes, bytes]]) -> Mapping[str, str]:
    return {
        name.decode("latin-1"): value.decode("latin-1")
        for name, value in headers
        if name in _PARENT
    }
