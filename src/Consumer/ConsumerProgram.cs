using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Consumer;

/// <summary>The Consumer's command line: serve, check, show.</summary>
public static class ConsumerProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments)
    {
        var catalogue = ConsumerCatalogue.Create();
        var root = new ServiceCommand<ConsumerOptions>(
            "Consumer",
            "Answers the messages of any number of Producers through Redis, until it is stopped.",
            catalogue,
            (run, _) => Task.FromResult(Serve(run)))
        {
            Examples =
            [
                new("Answer the Producers of a server", "--redis redis://10.0.0.5:6379"),
                new("Answer four parallel streams of one run, for a minute",
                    "--redis redis://10.0.0.5:6379 --run nightly --streams 4 --duration 1m"),
                new("Answer anybody's plain counts on ping and pong",
                    "--redis redis://10.0.0.5:6379 --channel ping --reply-channel pong"),
            ],
            Verbs =
            [
                new ServiceCommand<ConsumerOptions>(
                    "check",
                    "Tells whether it could serve: reach, rights, version; measures nothing.",
                    catalogue,
                    (run, _) => Task.FromResult(ConsumerCheck.Run(run))),
                ShowCommand.Create(),
            ],
        };
        return new CommandLineProgram(root).RunAsync(arguments);
    }

    private static int Serve(CommandRun<ConsumerOptions> command) =>
        RunHost.Run(command.Options.Values.Output.Verbosity, run => new ConsumerRun(command, run).Run());
}
