using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The program <c>redis-latency</c> as the build of the tests made it.</summary>
internal static class BuiltTool
{
    public static ServiceProcess Start(params string[] arguments) => ServiceProcess.Start("Tool", arguments);

    /// <summary>Holds the options of a command line, without the program's name, against the command's help.</summary>
    public static async Task ShouldHaveTheOptionsOf(params string[] line)
    {
        await using var help = Start(line[0], "--help");
        (await help.End()).ShouldBe(0);
        var options = line.Where(word => word.StartsWith("--", StringComparison.Ordinal)).ToArray();

        options.ShouldNotBeEmpty();
        foreach (var option in options)
            help.Output.ToString().ShouldContain($"{option.Split('=')[0]} ", Case.Sensitive);
    }
}
