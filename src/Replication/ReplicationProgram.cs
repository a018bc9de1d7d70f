using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Matrix;

namespace RedisLatency.Replication;

/// <summary>The Replication service's command line: delay, matrix, show.</summary>
public static class ReplicationProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        var delay = DelayCommand.Create();
        var root = new ServiceCommand<NoOptions>(
            "Replication",
            "Measures how far a replica of a Redis lags behind it.",
            new OptionCatalogue<NoOptions>("Replication"),
            (_, _) => throw new ConfigurationException(
                "a command is needed: delay, delay write, delay read, delay check, matrix FOLDER, or show FOLDER"))
        {
            Examples = delay.Examples,
            Verbs = [delay, MatrixCommand.Create(), ShowCommand.Create()],
        };
        return new CommandLineProgram(root).RunAsync(DelayCommand.WithOriginal(arguments, delay));
    }
}

internal sealed class NoOptions;
