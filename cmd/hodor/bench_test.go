package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"hodor/db"
	"hodor/db/dbtest"
	"hodor/internal/desk"
)

// BenchmarkProgram measures the program as a process on a database with a million ledger rows: how long from its start until it is
// ready, what it takes of the processor and how often it wakes up while nothing happens, and its memory then and after a busy minute's
// work of 2,000 messages.
func BenchmarkProgram(b *testing.B) {
	m := newMachine(b, "polling")
	fillLedger(b, m, 1_000_000)
	for range b.N {
		began := time.Now()
		m.start("")
		eventually(b, time.Minute, "the program is ready", m.ready)
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "start-ms")
		const quiet = 5 * time.Second
		<-time.After(time.Second) // the last work of the start
		cpu, wakes := m.effort(b)
		<-time.After(quiet)
		cpuAfter, wakesAfter := m.effort(b)
		b.ReportMetric(float64((cpuAfter-cpu).Milliseconds())/quiet.Seconds(), "idle-cpu-ms/s")
		b.ReportMetric(float64(wakesAfter-wakes)/quiet.Seconds(), "idle-wakeups/s")
		b.ReportMetric(m.status(b, "VmRSS"), "idle-MB")
		for i := range 2000 {
			m.tg.Say(int64(1+i%200), "a question")
		}
		eventually(b, time.Minute, "all is delivered", func() bool { return delivered(m) >= 2000 })
		b.ReportMetric(m.status(b, "VmHWM"), "busy-MB")
		m.stop()
	}
}

func delivered(m *machine) (n int) {
	for _, topic := range m.tg.Topics() {
		for _, message := range m.tg.Topic(topic.Thread) {
			if message.FromBot && message.Text == "a question" {
				n++
			}
		}
	}
	return n
}

// effort is the processor time the program has used, and how often it has been woken.
func (m *machine) effort(b *testing.B) (cpu time.Duration, wakes int) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.command.Process.Pid))
	if err != nil {
		b.Skip("no /proc to read it from")
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", m.command.Process.Pid))
	for _, task := range tasks {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", m.command.Process.Pid, task.Name()))
		wakes += int(field(status, "voluntary_ctxt_switches"))
	}
	return time.Duration(user+system) * 10 * time.Millisecond, wakes
}

// status is one line of the program's status, in MB.
func (m *machine) status(b *testing.B, name string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.command.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	return field(status, name) / 1024
}

func field(status []byte, name string) float64 {
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return n
		}
	}
	return 0
}

func fillLedger(b *testing.B, m *machine, rows int) {
	d := dbtest.OpenAt(b, m.path, time.Now)
	for from := 0; from < rows; from += 10_000 {
		dbtest.Update(b, d, func(tx *db.Tx) error {
			for i := from; i < from+10_000; i++ {
				err := tx.WriteLedger(db.Relayed{User: desk.UserID(1 + i%5000), Thread: desk.ThreadID(2 + i%5000), Direction: db.In,
					InGroup: desk.MessageID(i), InPrivate: desk.MessageID(i), Content: "text"})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
}
