import type { ExposureDecision } from '../decisions/decision.ts';
import type { ToolsProposal } from '../config/serverDefinition.ts';

/** Whether the tool of that name is exposed. */
export type IsExposed = (name: string) => boolean;

/** Which of a server's tools you expose; without a decision, those of its definition. */
export type Exposure = Pick<ExposureDecision, 'basis' | 'except' | 'newTools'>;

export const asDefined: Exposure = { basis: 'definition', except: [] };

export function exposedBy({ basis, except }: Exposure, proposal: ToolsProposal | undefined): IsExposed {
  const exceptions = new Set(except);
  const isInBasis = basis === 'definition' ? proposedBy(proposal) : () => basis === 'all';
  return (name) => isInBasis(name) !== exceptions.has(name);
}

/** The exposure with one tool exposed or not; without a name, with all of them. */
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

/** The exposure with later tools offered before you have seen them, or held back. */
export function withNewTools({ basis, except }: Exposure, areOffered: boolean): Exposure {
  return { basis, except, ...(areOffered && { newTools: 'offered' }) };
}

function proposedBy({ include, exclude = [] }: ToolsProposal = {}): IsExposed {
  const isIncluded = include ? matching(include) : () => true;
  const isExcluded = matching(exclude);
  return (name) => isIncluded(name) && !isExcluded(name);
}

/** `*` stands for any text. Not a regular expression: some patterns would take forever. */
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
