"""What can be seen of a running Viva from outside: logs, metrics, traces of nodes and models, OpenTelemetry.

None of it can stop or slow an interview, and none of it holds a candidate's words unless the host asks for that
(the setting `log_words`, or a tracing service named in the environment). `docs/observability.md` lists the names.
"""

from agent.observability.logs import bind, configure_job_logging, configure_logging
from agent.observability.redaction import words

__all__ = ["bind", "configure_job_logging", "configure_logging", "words"]
