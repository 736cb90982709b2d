// Loaded before the tests, and in processes that they start with `execArgv`. What Wine's sockets can't do:
// - connect once their keep-alive was set (`connect UNKNOWN`), as `fetch` does;
// - send more than 1,024 pieces at once, after which the connection is closed.
import { Socket } from 'node:net';

Socket.prototype.setKeepAlive = function () {
  return this;
};

Socket.prototype._writev = function (chunks, callback) {
  const pieces = chunks.map(({ chunk, encoding }) =>
    typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
  );
  this._write(Buffer.concat(pieces), /** @type {BufferEncoding} */ ('buffer'), callback);
};
