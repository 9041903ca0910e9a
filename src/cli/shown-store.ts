// Owns how the name of a store is shown to people: without the password of an address.

export const shownStore = (name: string): string => name.replace(/\/\/([^:/@]+):[^@]*@/, '//$1:…@')
