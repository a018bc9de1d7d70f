using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Lab.Links;
using RedisLatency.Lab.SelfTest;

namespace RedisLatency.Lab;

/// <summary>The Lab's command line: an emulated link to try things on, and the self-test of the measurements.</summary>
public static class LabProgram
{
    /// <summary>Runs the program.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static Task<int> RunAsync(IReadOnlyList<string> arguments) =>
        new CommandLineProgram(Create("Lab")).RunAsync(arguments);

    /// <summary>The Lab under a name of its own: as a program, or as a word of one.</summary>
    public static ServiceCommand Create(string name) => new CommandGroup(
        name, "Emulates a wide-area link, and tests the measurements themselves.")
    {
        IsProgram = true,
        Examples =
        [
            new("A server 14 ms away", "link --listen 127.0.0.1:7001 --to 127.0.0.1:6379 --delay 14ms"),
            new("Whether the measurements tell the truth on this machine", "selftest"),
            new("The same in ten seconds a row", "selftest --short"),
        ],
        Verbs = [CreateLink(), CreateSelfTest()],
    };

    private static ServiceCommand<LinkOptions> CreateLink() => new(
        "link",
        "Emulates a wide-area link: relays TCP and UDP with delay, jitter, rate, stalls, cuts and loss.",
        LinkCatalogue.Create(),
        (run, _) => Task.FromResult(LinkRun.Run(run)))
    {
        Examples =
        [
            new("A server 14 ms away", "link --listen 127.0.0.1:7001 --to 127.0.0.1:6379 --delay 14ms"),
            new("14 ms there and 20 ms back, and what was really given",
                "link --listen 127.0.0.1:7001 --to 127.0.0.1:6379 --delay 14ms/20ms --truth truth.csv"),
            new("A profile, for datagrams",
                "link --udp 127.0.0.1:7002=127.0.0.1:7777 --profile wan.json"),
        ],
    };

    private static ServiceCommand<SelfTestOptions> CreateSelfTest() => new(
        "selftest",
        "Runs real processes on planted clocks and links, and checks what they report.",
        SelfTestCatalogue.Create(),
        (run, _) => Task.FromResult(SelfTestRun.Run(run)))
    {
        Examples =
        [
            new("Everything, about a minute a row", "selftest"),
            new("Ten seconds a row, for machines too", "selftest --short --format json"),
            new("One row, keeping what the Producer left behind", "selftest --short --only direct --keep kept"),
        ],
    };
}
