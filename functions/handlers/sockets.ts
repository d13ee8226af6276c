import { Socket } from 'node:net';

interface Traffic {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Where every connection of a process begins: those of node:http, of fetch, of TLS, of database drivers. */
const sockets = Socket.prototype as unknown as { connect: (this: Socket, ...to: unknown[]) => Socket };

/**
 * Counts what goes over the connections that are opened from now on. The system's own counters are no use: they are of all
 * processes of a machine, and of everything below what code sees.
 */
export function countTraffic(): () => Traffic {
  const open = new Set<Socket>();
  let closed: Traffic = { receivedBytes: 0, sentBytes: 0 };
  const { connect } = sockets;
  sockets.connect = function (...to) {
    // One that is refused at once never closes.
    const connecting = connect.apply(this, to);
    open.add(this);
    this.once('close', () => {
      if (open.delete(this)) closed = withTraffic(closed, this);
    });
    return connecting;
  };
  return () => [...open].reduce(withTraffic, closed);
}

function withTraffic({ receivedBytes, sentBytes }: Traffic, { bytesRead, bytesWritten }: Socket): Traffic {
  // Node counts what was corked while it connected, and never went out, as not a number.
  return { receivedBytes: receivedBytes + bytesRead, sentBytes: sentBytes + (bytesWritten || 0) };
}
