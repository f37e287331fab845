// What a view imports in a test in place of its styles.
export {}
