/** Why a folder is not shared; `message` is a sentence for the person. */
export interface FolderProblem {
  /** `moved`: its real path is not the one that was consented to; `outside`: it leads out of its folder. */
  readonly kind: 'missing' | 'unreadable' | 'notAFolder' | 'moved' | 'outside' | 'refused';
  readonly message: string;
}
