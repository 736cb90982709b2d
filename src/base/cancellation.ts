/** The person or the caller took a request back. It is not an error: it is neither logged nor shown. */
export class CancellationError extends Error {
  constructor() {
    super('Cancelled');
    this.name = 'CancellationError';
  }
}
