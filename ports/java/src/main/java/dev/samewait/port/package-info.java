/** The adapter that lets the samewait kit question the library (chapter 8 of the specification). */
package dev.samewait.port;
