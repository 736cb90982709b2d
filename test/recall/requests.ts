/**
 * Everyday requests by which the search over tools is tuned, over the tools of ten servers in `test/fixtures/recall`.
 * They were written before the ranking. A second set, in `sealed.json` beside this file if it is there, is not looked
 * at while the ranking is changed.
 */
export interface RecallRequest {
  /** As somebody types it, in any language. */
  readonly typed: string;
  readonly language: string;
  /** What a model makes of it: the task in a few English words, with synonyms. */
  readonly query: string;
  /** The tools that do it, `server/tool`. */
  readonly tools: readonly string[];
}

const row = (language: string, typed: string, query: string, ...tools: readonly string[]): RecallRequest => ({
  language,
  typed,
  query,
  tools,
});

export const requests: readonly RecallRequest[] = [
  row(
    'en',
    "Tell the #design people I'm running ten minutes late",
    'send message to team chat channel, notify colleagues',
    'slack/slack_post_message',
  ),
  row(
    'es',
    'Dale un pulgar arriba a lo que escribió Marta',
    'react with thumbs up emoji to a chat message',
    'slack/slack_add_reaction',
  ),
  row(
    'en',
    'what did everybody say in #incidents while I was asleep',
    'read recent messages in chat channel, catch up on conversation',
    'slack/slack_get_channel_history',
  ),
  row(
    'de',
    'Bin ich Donnerstagnachmittag schon verplant?',
    'check calendar availability, busy or free time slots',
    'google-calendar/get-freebusy',
    'google-calendar/list-events',
  ),
  row(
    'en',
    'Put lunch with Priya on Tuesday at noon',
    'schedule meeting, add appointment to calendar',
    'google-calendar/create-event',
  ),
  row(
    'en',
    "say yes to Jon's get-together",
    'accept meeting invitation, RSVP',
    'google-calendar/respond-to-event',
  ),
  row(
    'de',
    'Wie lange brauche ich mit dem Auto von Köln nach Aachen?',
    'driving time between two cities, travel duration, route',
    'google-maps/maps_directions',
    'google-maps/maps_distance_matrix',
  ),
  row(
    'en',
    'somewhere good for ramen near the station?',
    'find restaurants nearby, local place search',
    'google-maps/maps_search_places',
  ),
  row(
    'fr',
    'À quelle hauteur au-dessus de la mer se trouve mon village ?',
    'altitude of a location, height above sea level',
    'google-maps/maps_elevation',
  ),
  row(
    'en',
    'remember that my sister is allergic to nuts',
    'store a fact in memory, remember note about a person',
    'memory/add_observations',
    'memory/create_entities',
  ),
  row(
    'en',
    'what do you already know about me?',
    'recall stored memory, look up known facts about user',
    'memory/search_nodes',
    'memory/read_graph',
    'memory/open_nodes',
  ),
  row(
    'en',
    'forget everything about my old employer',
    'delete remembered facts, remove from memory, forget',
    'memory/delete_entities',
    'memory/delete_observations',
  ),
  row(
    'en',
    'is the build on 482 green yet?',
    'CI build status of pull request, checks passing',
    'github/get_pull_request_status',
  ),
  row(
    'en',
    'Report that the login screen crashes on Safari',
    'open bug report, file ticket in issue tracker',
    'github/create_issue',
  ),
  row(
    'it',
    'Che cosa è stato cambiato questa settimana nel ramo principale?',
    'recent commits, change log of main branch, git history',
    'github/list_commits',
  ),
  row(
    'en',
    'enter my name, street and town on the order site',
    'fill in web form fields, type address on website',
    'playwright/browser_fill_form',
  ),
  row(
    'ja',
    'いま開いているサイトの画像を保存して',
    'capture image of web page, take screenshot',
    'playwright/browser_take_screenshot',
  ),
  row(
    'en',
    'why does this site spit out red errors',
    'read browser console errors, JavaScript log',
    'playwright/browser_console_messages',
  ),
  row(
    'en',
    "jot down today's standup notes in our wiki",
    'create new wiki page, write notes document',
    'notion/API-post-page',
  ),
  row(
    'zh',
    '在 Notion 里找一下上周的会议纪要',
    'find meeting notes document in Notion, search pages',
    'notion/API-post-search',
  ),
  row(
    'en',
    'the travel plan belongs under Projects, put it there',
    'move page under another parent, relocate document in wiki',
    'notion/API-move-page',
  ),
  row(
    'pt',
    'Salva no computador o PDF que a Rita mandou',
    'save email attachment to disk, download attached file',
    'gmail/download_attachment',
  ),
  row(
    'en',
    'write to my landlord about the broken heating, but let me read it before it goes out',
    'compose email without sending, save draft',
    'gmail/draft_email',
  ),
  row(
    'en',
    'have invoices put aside automatically when they come in',
    'automatic rule for incoming mail, sort email into folder',
    'gmail/create_filter',
    'gmail/create_filter_from_template',
  ),
  row(
    'en',
    'put the new lead into the CRM',
    'add row to table, insert new contact in CRM database',
    'airtable/create_record',
  ),
  row(
    'en',
    'which columns does the inventory sheet have',
    'list columns of table, show schema and fields',
    'airtable/describe_table',
    'airtable/list_tables',
  ),
  row(
    'en',
    'leave Sam a note on the Acme row asking for the price',
    'add comment to row, leave note on table entry',
    'airtable/create_comment',
  ),
  row(
    'nl',
    'Hoeveel ruimte neemt elke map op mijn schijf in?',
    'disk usage of folders, folder size listing',
    'filesystem/list_directory_with_sizes',
  ),
  row(
    'en',
    'When did I last change my CV?',
    'last modified date of file, file metadata',
    'filesystem/get_file_info',
  ),
  row(
    'en',
    "replace 'Ltd' by 'GmbH' everywhere in contract.md",
    'find and replace text in document, edit file content',
    'filesystem/edit_file',
  ),
];
