using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Consumer;

/// <summary>The Consumer's command line: serve, check, show.</summary>
public static class ConsumerProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) =>
        new CommandLineProgram(Create("Consumer")).RunAsync(arguments);

    /// <summary>The service under a name of its own: as a program, or as a word of one.</summary>
    public static ServiceCommand Create(string name)
    {
        var catalogue = ConsumerCatalogue.Create();
        return new ServiceCommand<ConsumerOptions>(
            name,
            "Answers the messages of Producers, until it is stopped.",
            catalogue,
            (run, _) => Task.FromResult(Serve(run)))
        {
            IsProgram = true,
            Common =
            [
                "--redis", "--run", "--duration", "--channel", "--reply-channel", "--streams", "--driver", "--probe",
                "--metrics", "--out",
            ],
            Examples =
            [
                new("Answer the Producers of a server", "10.0.0.5:6379"),
                new("Answer four parallel streams of one run, for a minute",
                    "10.0.0.5:6379 --run nightly --streams 4 --duration 1m"),
                new("Answer plain counts on the channels ping and pong",
                    "10.0.0.5:6379 --channel ping --reply-channel pong"),
            ],
            Verbs =
            [
                new ServiceCommand<ConsumerOptions>(
                    "check",
                    "Checks what serving needs, and measures nothing.",
                    catalogue,
                    (run, _) => Task.FromResult(ConsumerCheck.Run(run))),
                ShowCommand.Create(),
            ],
        };
    }

    private static int Serve(CommandRun<ConsumerOptions> command) =>
        RunHost.Run(command.Options.Values.Output, run => new ConsumerRun(command, run).Run());
}
