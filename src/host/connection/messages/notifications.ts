import type { Client, LoggingMessageNotification } from '@modelcontextprotocol/client';
import { asReceived } from '../requests/sendRequest.ts';

/** The lists whose changes a server reports, by what 2026-07-28 calls them in the filter of a stream. */
export const listFilters = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const;

export const listKinds = Object.keys(listFilters) as readonly (keyof typeof listFilters)[];

/** What listens to the notifications of a server. */
export interface NotificationListeners {
  logged(message: LoggingMessageNotification['params']): void;
  listChanged(kind: keyof typeof listFilters): void;
  resourceUpdated(uri: string): void;
  elicitationCompleted(id: string): void;
  /** The parameters are unchecked; those of the others have been checked by the SDK. */
  taskChanged(params: unknown): void;
}

/**
 * Listens to the notifications that have a listener; the others are ignored. From 2026-07-28 on, those about lists,
 * resources and tasks come over a stream with a filter. `SessionPipeline` has limited all of them, and those of progress and
 * cancellation end there and in the SDK.
 */
export function listenTo(
  client: Pick<Client, 'setNotificationHandler'>,
  { logged, listChanged, resourceUpdated, elicitationCompleted, taskChanged }: Partial<NotificationListeners>,
): void {
  if (logged) {
    client.setNotificationHandler('notifications/message', ({ params }) => logged(params));
  }
  if (listChanged) {
    for (const kind of listKinds) {
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => listChanged(kind));
    }
  }
  if (resourceUpdated) {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      resourceUpdated(params.uri),
    );
  }
  if (elicitationCompleted) {
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      elicitationCompleted(params.elicitationId),
    );
  }
  if (taskChanged) {
    // 2025-11-25, and the extension of 2026-07-28.
    for (const method of ['notifications/tasks/status', 'notifications/tasks']) {
      client.setNotificationHandler(method, { params: asReceived }, taskChanged);
    }
  }
}
