// The one place that uses cordis at run time: the desk brings its own, bundled into it, since no host is there. The plugins import
// only types of it.
export { Context } from '@deepseek-ai/cordis'
