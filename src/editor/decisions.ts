import type * as vscode from 'vscode';
import type { Answer, DecisionStore } from '../host/approval/launchApproval.ts';

/** Decisions in the extension's own storage on this machine, which settings sync leaves alone. */
export function storedDecisions(memento: vscode.Memento): DecisionStore {
  return {
    get: (key) => {
      const answer = memento.get<unknown>(key);
      return answer === 'allow' || answer === 'deny' ? answer : undefined;
    },
    set: async (key: string, answer: Answer) => memento.update(key, answer),
  };
}
