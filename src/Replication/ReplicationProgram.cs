using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Sources;
using RedisLatency.Replication.Sync;

namespace RedisLatency.Replication;

/// <summary>The Replication service's command line: delay, sync, scan, rdb, aof, matrix, show.</summary>
public static class ReplicationProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) =>
        new CommandLineProgram(Create("Replication")).RunAsync(WithOriginal(arguments));

    /// <summary>The service under a name of its own: as a program, or as a word of one.</summary>
    public static ServiceCommand Create(string name)
    {
        var delay = DelayCommand.Create();
        return new ServiceCommand<NoOptions>(
            name,
            "Measures how far a replica lags behind its primary, and copies one server to another.",
            new OptionCatalogue<NoOptions>("Replication"),
            (_, _) => throw new ConfigurationException(
                "a command is needed: delay, delay write, delay read, delay check, sync, scan, rdb, aof, "
                    + "matrix FOLDER, or show FOLDER"))
        {
            IsProgram = true,
            ForeignSettings = ShakeFile.Form,
            Examples = delay.Examples,
            Verbs =
            [
                delay, .. SourceCommands.Create(), ScanCommand.Create(), MatrixCommand.Create(), ShowCommand.Create(),
            ],
        };
    }

    /// <summary>
    /// The words of replicator-delay-test after <c>delay</c>, and RedisShake's file after <c>sync</c>, as the verb
    /// that takes them.
    /// </summary>
    public static IReadOnlyList<string> WithOriginal(IReadOnlyList<string> arguments) =>
        ShakeFile.WithVerb(DelayCommand.WithOriginal(arguments));
}

internal sealed class NoOptions;
