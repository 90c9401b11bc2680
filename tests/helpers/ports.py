"""Ports for servers that are given theirs before they start."""

import socket


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody is given but this process, until it ends; a server may listen there.

    A port that is picked and let go may be a connection's of somebody else's before the server has started.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port = int(holder.getsockname()[1])
        holder.detach()
    return port
