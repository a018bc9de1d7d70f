using Microsoft.Extensions.DependencyInjection;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Matrix;
using RedisLatency.Replication.Original;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Sides;

namespace RedisLatency.Replication;

public static class ReplicationProgram
{
    public static Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        var root = new ServiceCommand<NoOptions>(
            "Replication",
            "Measures how far a replica of a Redis lags behind it.",
            new OptionCatalogue<NoOptions>("Replication"),
            (_, _) => throw new ConfigurationException("a command is needed: delay run, delay write, delay read, delay heartbeat, matrix FOLDER, or show FOLDER"))
        {
            Examples = DelayCommand.Examples,
            Verbs = [DelayCommand.Create(Measure<DelayRun>, Measure<WriteRun>, Measure<ReadRun>, Beat<BothSides>, Beat<WritingSide>, Beat<ReadingSide>, Original), MatrixCommand.Create(), ShowCommand.Create()],
        };
        return new CommandLineProgram(root).RunAsync(arguments);
    }

    private static int Measure<TRun>(CommandRun<DelayOptions> command)
        where TRun : class, IMeasuredRun =>
        RunHost.Run<TRun>(
            command.Options.Values.Output.Verbosity, services => services.AddSingleton(command).AddSingleton<DelayResults>());

    private static int Beat<TSide>(CommandRun<HeartbeatOptions> command)
        where TSide : HeartbeatSide =>
        RunHost.Run<HeartbeatRun>(
            command.Options.Values.Output.Verbosity,
            services => services.AddSingleton(command).AddSingleton<HeartbeatSide, TSide>());

    private static int Original(CommandRun<OriginalOptions> command) =>
        RunHost.Run<OriginalRun>(Verbosity.Normal, services => services.AddSingleton(command));
}

internal sealed class NoOptions;
