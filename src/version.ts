// The version of this package, as processes tell each other; a test compares it with package.json.

export const VERSION = '0.1.0'
