import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of the system's temporary folder that only this user can enter, until `remove`. */
export class TemporaryFolder {
  readonly path: string;
  readonly #removeAtExit = (): void => this.remove();

  constructor(name: string) {
    this.path = mkdtempSync(join(realpathSync(tmpdir()), `mcp-host-${name}-`));
    process.once('exit', this.#removeAtExit);
  }

  /** The path of something inside. */
  join(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  /** Copies what is in `folder` into this one. */
  fill(folder: string): this {
    cpSync(folder, this.path, { recursive: true });
    return this;
  }

  remove(): void {
    process.off('exit', this.#removeAtExit);
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
