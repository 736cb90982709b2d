import type { ServerId } from '../../config/serverDefinition.ts';
import type { PinnedTool } from '../../tools/hostTool.ts';

/** What is not as it was approved, of one server at one moment. */
export interface ServerChanges {
  readonly serverId: ServerId;
  /** What was approved is lost: then all that the server shows is new. */
  readonly isLost?: boolean;
  /** Tools that are held back. */
  readonly tools: readonly {
    readonly name: string;
    /** Undefined for one that came after the launch was approved, or of which nothing is known any more. */
    readonly before: PinnedTool | undefined;
    readonly now: PinnedTool;
    readonly renamedFrom?: string;
    /** True from the second change of its texts on, where schema and annotations are as before. */
    readonly canVary: boolean;
  }[];
  /** The server's `instructions`, when they have changed. */
  readonly instructions?: {
    readonly before: string | undefined;
    readonly now: string | undefined;
    readonly canVary: boolean;
  };
}
