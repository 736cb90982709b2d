import type { ServerId } from './serverDefinition.ts';

/** A server after its definition was renamed. */
export interface Successor {
  readonly id: ServerId;
  /** Its name in the user interface. */
  readonly label: string;
  /** The fingerprints of launches for which something may be stored. */
  readonly launches: readonly string[];
}

/** Something that is stored by the id of a server, which changes when its definition is renamed. */
export interface KeptByServer {
  /**
   * Stores for another server what is stored for this one, which goes on running meanwhile.
   *
   * @throws the file system's error when it cannot be stored.
   */
  copy(from: ServerId, to: Successor): Promise<void> | void;
  /** Removes what is stored for a server that is gone; its successor has everything. */
  forget(id: ServerId): Promise<void> | void;
}
