package main

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

type healthCommand struct{}

// Run asks a running serve on this machine whether it lives, for containers that have nothing else to ask with.
func (healthCommand) Run(e environment) error {
	config, err := e.load()
	if err != nil {
		return err
	}
	if config.HTTP.Listen == "" {
		return fmt.Errorf("http.listen is empty: there is nobody to ask")
	}
	host, port, err := net.SplitHostPort(config.HTTP.Listen)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	client := http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{}} // through no proxy
	resp, err := client.Get("http://" + net.JoinHostPort(host, port) + "/healthz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", resp.Status)
	}
	return nil
}
