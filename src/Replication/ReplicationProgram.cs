using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Replication;

/// <summary>The Replication service's command line: delay, matrix, show.</summary>
public static class ReplicationProgram
{
    private static readonly string[] Moved = ["sync", "scan", "rdb", "aof"];

    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) =>
        arguments.Count > 0 && Moved.Contains(arguments[0])
            ? Task.FromResult(RefuseMoved(arguments[0], Console.Error))
            : new CommandLineProgram(Create("Replication")).RunAsync(WithOriginal(arguments));

    /// <summary>The service under a name of its own: as a program, or as a word of one.</summary>
    public static ServiceCommand Create(string name)
    {
        var delay = DelayCommand.Create();
        return new CommandGroup(name, "Measures how far a replica lags behind its primary.")
        {
            IsProgram = true,
            Examples = delay.Examples,
            Verbs = [delay, MatrixCommand.Create(), ShowCommand.Create()],
        };
    }

    /// <summary>The words of replicator-delay-test after <c>delay</c>, as words of this program.</summary>
    public static IReadOnlyList<string> WithOriginal(IReadOnlyList<string> arguments) =>
        OriginalWords.Translate(arguments);

    internal static int RefuseMoved(string word, TextWriter error)
    {
        error.WriteLine($"{word} belongs to the synchroniser: {ProgramName.ToStart("Sync")} {word}");
        return ExitCode.Usage;
    }
}
