import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { After } from '../../../src/base/time/clock.ts';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import { DecisionStore } from '../../../src/host/decisions/decisionStore.ts';
import type { WorkspaceFolder } from '../../../src/host/folders/sharedRoot.ts';
import type { HostSettings } from '../../../src/host/config/settings.ts';
import type { FolderDisk } from '../../../src/host/folders/folderDisk.ts';
import { RootsConsent } from '../../../src/host/roots/rootsConsent.ts';
import { FakeDisk } from './fakeDisk.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';

export interface WindowOptions {
  readonly remoteName?: string | undefined;
  /** Without one, a disk that has every folder. */
  readonly disk?: FolderDisk;
  readonly after?: After;
}

/** One window's consent, with its folders and settings in the test's hands. */
export class Window {
  readonly decisions: DecisionStore;
  readonly roots: RootsConsent;
  readonly #onDidChangeFolders = new Emitter<void>();
  readonly #onDidChangeSettings = new Emitter<void>();
  #folders: readonly WorkspaceFolder[] = [];
  #rootsDefault: HostSettings['rootsDefault'] = 'ask';

  constructor(directory: string, { remoteName, disk = new FakeDisk(), after }: WindowOptions = {}) {
    this.decisions = new DecisionStore(decisionKinds, path.join(directory, 'decisions'), remoteName);
    const folders = (): readonly WorkspaceFolder[] => this.#folders;
    const rootsDefault = (): HostSettings['rootsDefault'] => this.#rootsDefault;
    this.roots = new RootsConsent({
      folders: {
        get folders() {
          return folders();
        },
        onDidChange: this.#onDidChangeFolders.event,
      },
      settings: {
        get rootsDefault() {
          return rootsDefault();
        },
        onDidChange: this.#onDidChangeSettings.event,
      },
      decisions: this.decisions,
      disk,
      ...(after && { after }),
    });
  }

  get folders(): readonly WorkspaceFolder[] {
    return this.#folders;
  }

  set folders(folders: readonly WorkspaceFolder[]) {
    this.#folders = folders;
    this.#onDidChangeFolders.fire();
  }

  set rootsDefault(value: HostSettings['rootsDefault']) {
    this.#rootsDefault = value;
    this.#onDidChangeSettings.fire();
  }

  async close(): Promise<void> {
    await this.roots.close();
    this.decisions.dispose();
  }
}

/** Windows that share one person's decisions. */
export class ConsentBed {
  readonly directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
  readonly #windows: Window[] = [];

  open(options?: WindowOptions): Window {
    const window = new Window(this.directory, options);
    this.#windows.push(window);
    return window;
  }

  async close(): Promise<void> {
    await Promise.all(this.#windows.map((window) => window.close()));
    await rm(this.directory, { recursive: true, force: true });
  }
}
