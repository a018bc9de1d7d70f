"""What takes metrics by OTLP and throws them away."""
import http.server
import threading


class Collector:
    """Listens on a free loopback port; how often something was pushed is counted."""

    def __init__(self):
        self.pushes = 0

    def __enter__(self):
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                collector.pushes += self.path == "/v1/metrics"
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                """Says nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"
