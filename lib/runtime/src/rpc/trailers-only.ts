import type { Http2ServerResponse, OutgoingHttpHeaders } from 'node:http2';

/**
 * Changes a response so that a reply without a message (an error) is sent as one frame: "Trailers-Only" in the gRPC
 * protocol (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#responses). The library's adapter would send headers
 * first, which forbids clients to retry (gRFC A6).
 *
 * The adapter calls `writeHead`, then `write` for each part of a message, then `addTrailers` and `end`.
 */
export function sendErrorsAsTrailersOnly(response: Http2ServerResponse): void {
  const { writeHead, write, addTrailers, end } = response;
  let status = 200;
  let headers: OutgoingHttpHeaders = {};
  let trailers: OutgoingHttpHeaders = {};

  Object.assign(response, {
    writeHead(newStatus: number, newHeaders: OutgoingHttpHeaders) {
      [status, headers] = [newStatus, newHeaders];
      return response;
    },
    write(...args: readonly unknown[]) {
      if (!response.headersSent) Reflect.apply(writeHead, response, [status, headers]);
      return Reflect.apply(write, response, args);
    },
    addTrailers(newTrailers: OutgoingHttpHeaders) {
      trailers = newTrailers;
    },
    end() {
      if (response.headersSent) {
        Reflect.apply(addTrailers, response, [trailers]);
        return Reflect.apply(end, response, []);
      }
      if (!response.stream.destroyed) {
        response.stream.respond({ ':status': status, ...headers, ...trailers }, { endStream: true });
      }
      return response;
    },
  });
}
