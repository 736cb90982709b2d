import type { ServerId } from './serverDefinition.ts';

/** What a server becomes when its definition is renamed. */
export interface Successor {
  readonly id: ServerId;
  /** What it is called before the person. */
  readonly label: string;
  /** The fingerprints of the launches that something may have been kept of. */
  readonly launches: readonly string[];
}

/** Something that is kept by the id of a server, which is another one when its definition is renamed. */
export interface KeptByServer {
  /**
   * Keeps of another server what is kept of this one, which goes on meanwhile.
   *
   * @throws what the file system says when that cannot be kept.
   */
  copy(from: ServerId, to: Successor): Promise<void> | void;
  /** Keeps nothing of a server any longer: it is gone, and its successor has everything. */
  forget(id: ServerId): Promise<void> | void;
}
