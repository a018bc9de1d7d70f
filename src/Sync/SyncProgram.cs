using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Sync.RedisShake;
using RedisLatency.Sync.Verify;

namespace RedisLatency.Sync;

/// <summary>The command line of the synchroniser: sync, scan, rdb, aof, verify, show.</summary>
public static class SyncProgram
{
    /// <summary>What is typed: each way to read a source, and the comparison of both ends.</summary>
    public static IReadOnlyList<string> Verbs { get; } = ["sync", "scan", "rdb", "aof", VerifyCommand.Name];

    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) => RunAsync("Sync", arguments);

    /// <summary>Runs it as part of a program that has its verbs among its own.</summary>
    /// <param name="name">That program's name.</param>
    /// <param name="arguments">What is typed behind that name.</param>
    /// <param name="elsewhere">See <see cref="CommandLineProgram.Elsewhere"/>.</param>
    public static Task<int> RunAsync(
        string name, IReadOnlyList<string> arguments, Func<string, string?>? elsewhere = null) =>
        new CommandLineProgram(Create(name)) { Elsewhere = elsewhere ?? (_ => null) }
            .RunAsync(ShakeFile.WithVerb(arguments));

    /// <summary>All verbs, under the name of a program.</summary>
    public static ServiceCommand Create(string name)
    {
        var verbs = Verbs.Select(CreateVerb).ToList();
        return new CommandGroup(name, "Copies one Redis to another, as RedisShake does.")
        {
            IsProgram = true,
            ForeignSettings = ShakeFile.Form,
            Examples = [.. verbs.Select(verb => verb.Examples[0])],
            Verbs = [.. verbs, ShowCommand.Create()],
        };
    }

    /// <summary>One of <see cref="Verbs"/>.</summary>
    public static ServiceCommand CreateVerb(string verb) => verb switch
    {
        "sync" => SourceCommands.CreateSync(),
        "scan" => ScanCommand.Create(),
        "rdb" => SourceCommands.CreateRdb(),
        VerifyCommand.Name => VerifyCommand.Create(),
        _ => SourceCommands.CreateAof(),
    };
}
