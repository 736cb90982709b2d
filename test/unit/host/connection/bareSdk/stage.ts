import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { ConnectionBed } from '../../../support/connectionBed.ts';
import { isAlive, untilSeen } from '../../../support/until.ts';
import { BarePeer } from './barePeer.ts';
import { OwnPeer } from './ownPeer.ts';
import type { Peer, PeerOptions } from './peer.ts';

/** Milliseconds: long enough for the SDK alone to do what is not left to a timeout, short enough to wait for without a result. */
const AT_ONCE_ALONE_MS = 3_000;
/** Milliseconds that only a defect of this host exceeds, however busy the machine is. */
const AT_ONCE_MS = 240_000;

/** Where a scenario is played: with the SDK alone, or with this host. */
export class Stage {
  readonly bed = new ConnectionBed();
  readonly #isBare: boolean;
  readonly #peers: Peer[] = [];
  readonly #started: number[] = [];

  constructor(isBare: boolean) {
    this.#isBare = isBare;
  }

  peer(definition: ServerDefinition, options: PeerOptions = {}): Peer {
    const { bed } = this;
    const peer = this.#isBare
      ? new BarePeer(bed.recorded(definition), bed.directory, options)
      : new OwnPeer(definition, bed, options);
    this.#peers.push(peer);
    return peer;
  }

  async connected(definition: ServerDefinition, options?: PeerOptions): Promise<Peer> {
    const peer = this.peer(definition, options);
    await peer.connect();
    return peer;
  }

  /** What `work` gives; rejects when that takes long. */
  async atOnce<T>(what: string, work: Promise<T>): Promise<T> {
    const end = new AbortController();
    const late = delay(this.#atOnceMs, undefined, { signal: end.signal }).then(() => this.#tooLate(what));
    // Whichever of the two comes second is of no interest.
    late.catch(() => {});
    work.catch(() => {});
    try {
      return await Promise.race([work, late]);
    } finally {
      end.abort();
    }
  }

  /** Resolved as soon as the claim holds; rejects when that takes long. */
  async seenAtOnce(what: string, claim: () => boolean): Promise<void> {
    for (const end = performance.now() + this.#atOnceMs; !claim(); await delay(10)) {
      if (performance.now() > end) {
        this.#tooLate(what);
      }
    }
  }

  get #atOnceMs(): number {
    return this.#isBare ? AT_ONCE_ALONE_MS : AT_ONCE_MS;
  }

  #tooLate(what: string): never {
    throw new Error(`not within ${this.#atOnceMs / 1_000} s: ${what}`);
  }

  /** Takes a process that no server here could have written down, and ends with the stage at the latest. */
  takeProcess(pid: number): number {
    this.#started.push(pid);
    return pid;
  }

  /** Leaves nothing behind, also of what the SDK alone does not end. */
  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.close()));
    const left = [...this.#started, ...this.bed.pids].filter(isAlive);
    left.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await untilSeen(() => !left.some(isAlive), 'all processes are gone');
    await this.bed.close();
    if (!this.#isBare) {
      assert.deepEqual(left, [], 'a process was left behind');
    }
  }
}
