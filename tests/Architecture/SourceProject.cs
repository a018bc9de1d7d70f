using System.Xml.Linq;
using RedisLatency.Fixtures;

namespace RedisLatency.Architecture;

/// <summary>A project of <c>src</c>, as its file describes it.</summary>
internal sealed class SourceProject
{
    private SourceProject(string file)
    {
        Name = Path.GetFileNameWithoutExtension(file);
        References = [.. XDocument.Load(file).Descendants("ProjectReference")
            .Select(reference => Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value))];
    }

    public static IReadOnlyList<SourceProject> All { get; } =
        [.. Directory.EnumerateFiles(RepositoryRoot.Combine("src"), "*.csproj", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Select(file => new SourceProject(file))];

    public string Name { get; }

    public IReadOnlyList<string> References { get; }

    public static SourceProject Named(string name) => All.Single(project => project.Name == name);
}
