import type { ExposureDecision } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { keyOf } from '../decisions/decisionKey.ts';
import type { ServerId, ToolsProposal } from '../config/serverDefinition.ts';

/** Whether the tool of that name is exposed. */
export type IsExposed = (name: string) => boolean;

/** What the person said of a server's tools; without a word, its definition counts. */
export type Exposure = Pick<ExposureDecision, 'basis' | 'except' | 'newTools'>;

export const asDefined: Exposure = { basis: 'definition', except: [] };

export function exposedBy({ basis, except }: Exposure, proposal: ToolsProposal | undefined): IsExposed {
  const exceptions = new Set(except);
  const isInBasis = basis === 'definition' ? proposedBy(proposal) : () => basis === 'all';
  return (name) => isInBasis(name) !== exceptions.has(name);
}

/** The exposure in which one tool is shown or not; without a name, all are. */
export function withTool(
  exposure: Exposure,
  proposal: ToolsProposal | undefined,
  isExposed: boolean,
  name?: string,
): Exposure {
  if (name === undefined) {
    return { ...exposure, basis: isExposed ? 'all' : 'none', except: [] };
  }
  if (exposedBy(exposure, proposal)(name) === isExposed) {
    return exposure;
  }
  const others = exposure.except.filter((other) => other !== name);
  return {
    ...exposure,
    except: others.length < exposure.except.length ? others : [...others, name],
  };
}

/** The exposure in which tools that come later are offered without a look, or held back. */
export function withNewTools({ basis, except }: Exposure, areOffered: boolean): Exposure {
  return { basis, except, ...(areOffered && { newTools: 'offered' }) };
}

function proposedBy({ include, exclude = [] }: ToolsProposal = {}): IsExposed {
  const isIncluded = include ? matching(include) : () => true;
  const isExcluded = matching(exclude);
  return (name) => isIncluded(name) && !isExcluded(name);
}

/** `*` stands for any text. No regular expression: some patterns would take for ever. */
function matching(patterns: readonly string[]): IsExposed {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wild = patterns
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) =>
      pattern.split('*').filter((part, index, { length }) => index === 0 || index === length - 1 || part),
    );
  return (name) => exact.has(name) || wild.some((parts) => isMatch(name, parts));
}

function isMatch(name: string, parts: readonly string[]): boolean {
  const [first = '', ...between] = parts;
  const last = between.pop() ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) {
    return false;
  }
  let from = first.length;
  for (const part of between) {
    const found = name.indexOf(part, from);
    if (found < 0) {
      return false;
    }
    from = found + part.length;
  }
  return from <= name.length - last.length;
}

/** What the person said of each server's tools, by the remote and the server. */
export class ExposureDecisions {
  readonly #store: DecisionStore;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  of(id: ServerId): Exposure {
    const decision = this.#store.get(this.#keyOf(id));
    return decision?.kind === 'exposure' ? decision : asDefined;
  }

  /**
   * Changes follow one after the other, each of what counts at that moment, also by other windows.
   *
   * @throws what the file system says when the decision cannot be kept.
   */
  change(serverId: ServerId, label: string, make: (latest: Exposure) => Exposure): Promise<void> {
    const key = this.#keyOf(serverId);
    const done = this.#changing.then(async () => {
      this.#store.refresh(key);
      const latest = this.of(serverId);
      const { basis, except, newTools } = make(latest);
      const kept = this.#store.get(key);
      if (basis !== 'definition' || except.length > 0 || newTools) {
        const said = { basis, except, ...(newTools && { newTools }) };
        await this.#store.put({ kind: 'exposure', key, serverId, label, ...said, at: Date.now() });
      } else if (kept) {
        await this.#store.forget(kept.id);
      }
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  #keyOf(id: ServerId): string {
    return keyOf('exposure', this.#store.remoteName, id);
  }
}
