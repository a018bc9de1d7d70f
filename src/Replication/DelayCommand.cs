using RedisLatency.Hosting.CommandLine;
using RedisLatency.Replication.Original;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication;

internal static class DelayCommand
{
    public static ServiceCommand Create(
        Func<CommandRun<DelayOptions>, int> measure,
        Func<CommandRun<DelayOptions>, int> write,
        Func<CommandRun<DelayOptions>, int> read,
        Func<CommandRun<HeartbeatOptions>, int> heartbeat,
        Func<CommandRun<HeartbeatOptions>, int> writeHeartbeat,
        Func<CommandRun<HeartbeatOptions>, int> readHeartbeat,
        Func<CommandRun<OriginalOptions>, int> original) =>
        new ServiceCommand<OriginalOptions>(
            "delay",
            "Measures how long a key takes from one Redis to another; with these words as replicator-delay-test does.",
            OriginalCatalogue.Create(),
            (command, _) => Task.FromResult(original(command)))
        {
            Examples = Examples,
            Verbs =
            [
                new ServiceCommand<DelayOptions>(
                    "run",
                    "Writes and reads in this one process: one clock, nothing to correct.",
                    DelayCatalogue.CreateRun(),
                    (command, _) => Task.FromResult(measure(command)))
                {
                    Examples = ExamplesOf("run"),
                },
                new ServiceCommand<DelayOptions>(
                    "write",
                    "Writes, for a reader in another place; answers when it asks for this clock's time.",
                    DelayCatalogue.CreateWrite(),
                    (command, _) => Task.FromResult(write(command)))
                {
                    Examples = ExamplesOf("write"),
                },
                new ServiceCommand<DelayOptions>(
                    "read",
                    "Reads what delay write writes elsewhere, and corrects every delay by what the clocks differ.",
                    DelayCatalogue.CreateRead(),
                    (command, _) => Task.FromResult(read(command)))
                {
                    Examples = ExamplesOf("read"),
                },
                new ServiceCommand<HeartbeatOptions>(
                    "heartbeat",
                    "Measures for good: one key a shard, written over and over, with metrics and alerts.",
                    HeartbeatCatalogue.Create(),
                    (command, _) => Task.FromResult(heartbeat(command)))
                {
                    Examples = ExamplesOf("heartbeat"),
                    Verbs =
                    [
                        new ServiceCommand<HeartbeatOptions>(
                            "write",
                            "Writes heartbeats, for readers in other places that may come and go.",
                            HeartbeatCatalogue.CreateWrite(),
                            (command, _) => Task.FromResult(writeHeartbeat(command)))
                        {
                            Examples = ExamplesOf("heartbeat write"),
                        },
                        new ServiceCommand<HeartbeatOptions>(
                            "read",
                            "Reads heartbeats that are written elsewhere, and corrects every delay by what the clocks differ.",
                            HeartbeatCatalogue.CreateRead(),
                            (command, _) => Task.FromResult(readHeartbeat(command)))
                        {
                            Examples = ExamplesOf("heartbeat read"),
                        },
                    ],
                },
            ],
        };

    public static IReadOnlyList<CommandExample> Examples { get; } =
    [
        new("Try it on two servers in this process, nothing else needed", "delay run"),
        new("From a primary to its replica, both reached from here",
            "delay run --source redis://10.0.0.5 --destination redis://10.2.0.5"),
        new("To two replicas at once, one of them with a demand of its own",
            "delay run --source a:6379 --destination b:6379 --destination c:6379 --threshold 'delay{destination=c:6379}.p99<90ms'"),
        new("Ten thousand keys, 500 a second, and a demand on the result",
            "delay run --source a:6379 --destination b:6379 --keys 10k --rate 500 --threshold 'delay.p99<150ms'"),
        new("Two processes: the reader near the replica, which asks the writer's clock through the source",
            "delay read --destination redis://10.2.0.5 --control redis://10.0.0.5"),
        new("The writer near the source, which waits for such a reader",
            "delay write --source redis://10.0.0.5"),
        new("For good, with metrics, and an alert when no heartbeat came for five seconds",
            "delay heartbeat --source a:6379 --destination b:6379 --threshold 'age<5s' --metrics http://127.0.0.1:9121"),
        new("For good from two places: the writer, near the source; readers may come and go", "delay heartbeat write --source a:6379"),
        new("and a reader, near its replica, which asks the writer's clock through the source",
            "delay heartbeat read --destination b:6379 --control a:6379 --threshold 'age<5s'"),
        new("The reading side of replicator-delay-test, its password from a file", "delay 10.2.0.5 6379 @secret 1000 get"),
    ];

    private static IReadOnlyList<CommandExample> ExamplesOf(string verb) =>
        [.. Examples.Where(example => example.Command.StartsWith($"delay {verb}", StringComparison.Ordinal))];
}
