import type { Decision, DecisionKind } from '../decisions/decision.ts';
import { consistsOf } from '../../base/text/consistsOf.ts';
import { isTexts } from '../../base/values/record.ts';
import type { ToolsProposal } from '../config/serverDefinition.ts';

/** Whether the tool of that name is exposed. */
export type IsExposed = (name: string) => boolean;

/** Which of a server's tools are exposed: all, none or what the definition says, with exceptions. */
export interface ExposureDecision extends Decision {
  readonly kind: 'exposure';
  readonly basis: 'definition' | 'all' | 'none';
  /** Names of tools for which the opposite holds. */
  readonly except: readonly string[];
  /** Tools that come later are shown before you have seen them; absent, they are held back. */
  readonly newTools?: 'offered';
}

/** Which of a server's tools you expose; without a decision, those of its definition. */
export type Exposure = Pick<ExposureDecision, 'basis' | 'except' | 'newTools'>;

export const exposureDecisionKind: DecisionKind<ExposureDecision> = {
  name: 'exposure',
  isEntry: ({ basis, except, newTools }) =>
    ['definition', 'all', 'none'].includes(String(basis)) &&
    isTexts(except) &&
    (newTools === undefined || newTools === 'offered'),
  generosity: ({ basis, newTools }) => ({ none: 0, definition: 1, all: 2 })[basis] + (newTools ? 0.5 : 0),
  words: {
    what({ basis, except, newTools }) {
      const some = except.length === 1 ? 'one tool' : `${except.length} tools`;
      const hasAll = except.length === 0;
      const later = newTools === 'offered' ? ', and new ones without a review' : '';
      switch (basis) {
        case 'all':
          return (hasAll ? 'offers all its tools' : `offers all its tools but ${some}`) + later;
        case 'none':
          return (hasAll ? 'offers no tool' : `offers ${some} only`) + later;
        case 'definition':
          return (
            (hasAll ? 'offers its tools as defined' : `offers its tools as defined, except ${some}`) + later
          );
      }
    },
    detail: ({ except }) => except.join(', '),
    undone: () =>
      'Its tools are offered as its definition says, and new ones are held back until you review them.',
  },
};

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

function proposedBy(proposal: ToolsProposal = {}): IsExposed {
  if (isNames(proposal)) {
    const names = new Set(proposal);
    return (name) => names.has(name);
  }
  const { include, exclude = [] } = proposal;
  const isIncluded = include ? matching(include) : () => true;
  const isExcluded = matching(exclude);
  return (name) => isIncluded(name) && !isExcluded(name);
}

function isNames(proposal: ToolsProposal): proposal is readonly string[] {
  return Array.isArray(proposal);
}

/** `*` matches any text. */
function matching(patterns: readonly string[]): IsExposed {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const wild = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return (name) => exact.has(name) || wild.some((pieces) => consistsOf(name, pieces));
}
