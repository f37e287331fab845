/** Texts that no response may contain: stacks, file names, the database and its keys, errors of libraries. */
export const internals =
  /dynamo|node_modules|\.[cm]?[jt]s:\d+:\d+|\\n\s*at |stack|test-[0-9a-f]{8}-|ECONN|Error:|Exception|first_data|under|undefined/i
