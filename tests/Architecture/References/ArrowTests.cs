using System.Diagnostics;
using System.Reflection;

namespace RedisLatency.Architecture.References;

public sealed class ArrowTests
{
    private const string Prefix = "RedisLatency.";

    public static TheoryData<string> Projects => [.. SourceProject.All.Select(project => project.Name)];

    [Fact]
    public void Projects_EachHaveTheirArrows() =>
        SourceProject.All.Select(project => project.Name).ShouldBe(Arrows.Projects, ignoreOrder: true);

    [Theory]
    [MemberData(nameof(Projects))]
    public void Project_ReferencesOnlyWhatItsArrowsAllow(string name)
    {
        var project = SourceProject.Named(name);

        project.References.ShouldBeSubsetOf(Arrows.From(name));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Assembly_NamesOnlyWhatItsArrowsAllow(string name)
    {
        // What a project gets through another (a service the server, through Hosting) shows only here.
        var named = Load(name).GetReferencedAssemblies()
            .Select(reference => reference.Name!)
            .Where(reference => reference.StartsWith(Prefix, StringComparison.Ordinal))
            .Select(reference => reference[Prefix.Length..]);

        named.ShouldBeSubsetOf(Arrows.From(name));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Assembly_IsOptimisedInEveryConfiguration(string name)
    {
        var debuggable = Load(name).GetCustomAttribute<DebuggableAttribute>();

        (debuggable?.IsJITOptimizerDisabled ?? false).ShouldBeFalse();
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Types_LieBelowTheAssemblysName(string name)
    {
        var strangers = Load(name).GetTypes()
            .Where(type => type.Namespace is { } space
                && !(space + ".").StartsWith(Prefix + name + ".", StringComparison.Ordinal))
            .Where(type => !IsMadeByCompiler(type))
            .Select(type => type.FullName);

        strangers.ShouldBeEmpty();
    }

    [Fact]
    public void InHosting_OnlyTheEmbeddedServerNamesTheServer()
    {
        var named = SourceFile.In("Hosting")
            .Where(file => file.Text.Contains("RedisLatency.Server", StringComparison.Ordinal))
            .Select(file => file.FilePath);

        named.ShouldBe(["Hosting/Targets/EmbeddedServer.cs"]);
    }

    // The tool's file has the name that people type.
    private static Assembly Load(string name) => Assembly.Load(name == "Tool" ? "redis-latency" : Prefix + name);

    private static bool IsMadeByCompiler(Type type) =>
        type.Namespace!.StartsWith("System", StringComparison.Ordinal)
        || type.Namespace.StartsWith("Microsoft", StringComparison.Ordinal);
}
