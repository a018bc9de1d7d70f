using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Rendezvous;

namespace RedisLatency.Replication;

internal static class DelayCommand
{
    private const string Name = "delay";

    private static readonly IReadOnlyList<CommandExample> Examples =
    [
        new("Try it on two servers inside this process", "delay"),
        new("From a primary to its replica, both reached from here",
            "delay 10.0.0.5 10.2.0.5"),
        new("To two replicas at once, one of them with a threshold of its own",
            "delay a:6379 b:6379 c:6379 --threshold "
                + "'delay{destination=c:6379}.p99<90ms'"),
        new("Ten thousand keys, 500 a second, and a threshold on the result",
            "delay a:6379 b:6379 --keys 10k --rate 500 --threshold 'delay.p99<150ms'"),
        new("Continuously, with metrics, and an alert when no heartbeat came for five seconds",
            "delay a:6379 b:6379 --continuous --threshold 'age<5s' --metrics http://127.0.0.1:9121"),
        new("Two processes: the reader near the replica; it compares clocks through the source",
            "delay read 10.2.0.5 --control 10.0.0.5"),
        new("The writer near the source; it waits for such a reader", "delay write 10.0.0.5"),
        new("Both continuously: readers may come and go", "delay write a:6379 --continuous"),
        new("One line and an exit code, for a monitoring system",
            "delay check a:6379 b:6379 --threshold 'delay.p99<150ms'"),
        new("The reading side of replicator-delay-test, its password from a file",
            "delay 10.2.0.5 6379 @secret 1000 get --control 10.0.0.5"),
    ];

    private static readonly IReadOnlyList<string> Common =
    [
        "--source", "--destination", "--rate", "--keys", "--duration", "--continuous", "--interval", "--threshold",
        "--out",
    ];

    public static ServiceCommand Create() => Command(
        Name, "Measures how long a key takes from one server to another, both reached from here.",
        DelayCatalogue.CreateBoth(),
        Run((plan, run, events) => new BothSides(plan, run, events)),
        [
            Command(
                "write", "Writes keys for delay read in another process.",
                DelayCatalogue.CreateWrite(),
                Run((plan, run, events) => new WritingSide(plan, run, events))),
            Command(
                "read", "Reads the keys of delay write in another process; compares the clocks.",
                DelayCatalogue.CreateRead(),
                Run((plan, run, events) => new ReadingSide(plan, run, events))),
            Command(
                "check", "Measures a thousand keys, and prints one line.",
                DelayCatalogue.CreateCheck(),
                Run((plan, run, events) => new BothSides(plan, run, events), isCheck: true)),
        ]);

    private static ServiceCommand<DelayOptions> Command(
        string name, string purpose, OptionCatalogue<DelayOptions> catalogue, Func<CommandRun<DelayOptions>, int> run,
        params IReadOnlyList<ServiceCommand> verbs) =>
        new(name, purpose, catalogue, (command, _) => Task.FromResult(run(command)))
        {
            Common = name == Name ? Common : [],
            Examples = name == Name
                ? Examples
                :
                [.. Examples.Where(example => example.Command.StartsWith($"{Name} {name}", StringComparison.Ordinal))],
            Verbs = verbs,
        };

    private static Func<CommandRun<DelayOptions>, int> Run(
        Func<DelayPlan, RunContext, SessionEvents, ProbeSide> sideOf, bool isCheck = false) => command =>
    {
        command.Options.Values.IsCheck = isCheck;
        var plan = new DelayPlan(command);
        return RunHost.Run(
            plan.Options.Output,
            run => new ProbeRun(plan, run, events => sideOf(plan, run, events)).Run(),
            plan.Verbosity);
    };
}
