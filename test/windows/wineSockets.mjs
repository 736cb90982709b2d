// Loaded before the tests, and in each process that they fork: Wine can't connect a socket whose keep-alive was set
// before (`connect UNKNOWN`), as `fetch` does.
import { Socket } from 'node:net';

Socket.prototype.setKeepAlive = function () {
  return this;
};
