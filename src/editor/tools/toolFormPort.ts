import * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { resultJson } from '../../host/documents/resultDocument.ts';
import type { Gate } from '../../host/gate/gate.ts';
import type { MissedRequests } from '../../host/sampling/review/missedRequests.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import type { RequestLook } from '../../host/requestForms/requestFormPort.ts';
import {
  callFailure,
  callForForm,
  listedTool,
  type ToolFormPort,
} from '../../host/requestForms/toolRequest.ts';
import { LACKS_TASKS } from '../../host/tools/hostTool.ts';
import type { ToolName } from '../../host/tools/toolList.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { confirmDone } from '../messages/notifications.ts';
import { lookAt } from '../requestForms/lookAt.ts';
import { openFromForm, type RequestForms } from '../requestForms/requestPanels.ts';
import type { Review } from '../review/review.ts';
import type { RecentList } from '../workspace/recentList.ts';
import type { ResultDocuments } from './resultDocuments.ts';

export interface ToolFormDependencies {
  readonly host: McpHost;
  /** What you run is recorded, too. */
  readonly gate: Gate;
  readonly results: ResultDocuments;
  readonly viewDocuments: ViewDocuments;
  readonly review: Pick<Review, 'reviewMissed'>;
  readonly missed: Pick<MissedRequests, 'lastOf'>;
  readonly recent: RecentList<ToolName>;
}

/** The forms in which tools run. */
export function toolForms({
  host,
  gate,
  results,
  viewDocuments,
  review,
  missed,
  recent,
}: ToolFormDependencies): RequestForms {
  const look = (of: RequestTarget): RequestLook =>
    lookAt(host, of, 'run', (connection, server) => {
      const { catalogue, logger, schemas } = connection;
      catalogue?.look('tools');
      const tool = catalogue?.tools.find((one) => one.name === of.name);
      return tool && connection.lacksTasks(tool)
        ? `Tool '${tool.name}' of server '${server}' can't be run: ${LACKS_TASKS}.`
        : tool && listedTool(tool, { server, logger, schemas });
    });
  const portOf = (id: ServerId, tool: string): ToolFormPort => ({
    call: (args, options, signal) => {
      recent.add({ serverId: id, name: tool });
      return gate.callTool({ kind: 'person' }, id, tool, args, options, signal);
    },
    missedIn: (call) => missed.lastOf(call),
    open: ({ call }, openable) => openFromForm(id, [call.server, call.tool], openable, viewDocuments),
    use: ({ call, result, missed: question }, how) => {
      if (how === 'document') {
        void results.show({ serverId: id, call, result, missed: question });
      } else if (how === 'copy') {
        void vscode.env.clipboard
          .writeText(resultJson(result))
          .then(() => confirmDone('Copied the result as JSON'));
      } else if (question) {
        review.reviewMissed(question);
      }
    },
  });
  return {
    look,
    portOf: (of) => {
      const port = portOf(of.server, of.name);
      const called = (): Parameters<typeof callFailure>[0] => ({ server: look(of).server, tool: of.name });
      return {
        send: (sent, ...how) => callForForm(called(), sent, port, ...how),
        failure: (error) => callFailure(called(), error),
      };
    },
  };
}
