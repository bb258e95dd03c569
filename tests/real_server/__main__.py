"""Run llama.cpp's server on a model file in this process; the first line on stdout is its address."""

import argparse
import sys
import threading

import xllamacpp


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.real_server", description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--context", type=int, default=16_384, help="tokens of one request at most")
    parser.add_argument("--slots", type=int, default=4, help="requests answered at a time")
    arguments = parser.parse_args()
    settings = xllamacpp.CommonParams()
    settings.model.path = arguments.model
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_parallel = arguments.slots
    settings.n_ctx = arguments.context * arguments.slots
    settings.use_jinja = True
    settings.n_gpu_layers = 0
    settings.warmup = False
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
