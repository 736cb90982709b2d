/** What a tree consists of. The editor knows a row by its id, which is the same whenever the tree is drawn. */
export interface TreeNode {
  readonly kind: string;
  readonly id: string;
}
