// Command hodor is a support desk in Telegram.
package main

func main() {}
